package dev.stint.apiextensions.rule;

import dev.cel.common.values.CelValue;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.RandomAccess;

/**
 * A list that the library for CEL takes as it is: it copies all that are not values of its own. All
 * methods are those of another list.
 */
abstract class ListValue extends CelValue implements List<Object>, RandomAccess {
  private final List<Object> list;

  ListValue(List<Object> list) {
    this.list = list;
  }

  @Override
  public Object value() {
    return this;
  }

  @Override
  public boolean isZeroValue() {
    return isEmpty();
  }

  @Override
  public int size() {
    return list.size();
  }

  @Override
  public boolean isEmpty() {
    return list.isEmpty();
  }

  @Override
  public Object get(int index) {
    return list.get(index);
  }

  @Override
  public Iterator<Object> iterator() {
    return list.iterator();
  }

  @Override
  public ListIterator<Object> listIterator() {
    return list.listIterator();
  }

  @Override
  public ListIterator<Object> listIterator(int index) {
    return list.listIterator(index);
  }

  @Override
  public List<Object> subList(int from, int to) {
    return list.subList(from, to);
  }

  @Override
  public boolean contains(Object item) {
    return list.contains(item);
  }

  @Override
  public boolean containsAll(Collection<?> items) {
    return list.containsAll(items);
  }

  @Override
  public int indexOf(Object item) {
    return list.indexOf(item);
  }

  @Override
  public int lastIndexOf(Object item) {
    return list.lastIndexOf(item);
  }

  @Override
  public Object[] toArray() {
    return list.toArray();
  }

  @Override
  public <T> T[] toArray(T[] array) {
    return list.toArray(array);
  }

  @Override
  public boolean add(Object item) {
    return list.add(item);
  }

  @Override
  public void add(int index, Object item) {
    list.add(index, item);
  }

  @Override
  public boolean addAll(Collection<?> items) {
    return list.addAll(items);
  }

  @Override
  public boolean addAll(int index, Collection<?> items) {
    return list.addAll(index, items);
  }

  @Override
  public Object set(int index, Object item) {
    return list.set(index, item);
  }

  @Override
  public boolean remove(Object item) {
    return list.remove(item);
  }

  @Override
  public Object remove(int index) {
    return list.remove(index);
  }

  @Override
  public boolean removeAll(Collection<?> items) {
    return list.removeAll(items);
  }

  @Override
  public boolean retainAll(Collection<?> items) {
    return list.retainAll(items);
  }

  @Override
  public void clear() {
    list.clear();
  }

  @Override
  public boolean equals(Object other) {
    return list.equals(other);
  }

  @Override
  public int hashCode() {
    return list.hashCode();
  }

  @Override
  public String toString() {
    return list.toString();
  }
}
