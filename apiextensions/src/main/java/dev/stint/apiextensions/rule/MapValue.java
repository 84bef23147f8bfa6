package dev.stint.apiextensions.rule;

import dev.cel.common.values.CelValue;
import java.util.AbstractMap;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A map that the library for CEL takes as it is: it copies all that are not values of its own.
 * Nobody changes it.
 */
abstract class MapValue extends CelValue implements Map<String, Object> {

  /** Returns the value of a key; null if there is none. */
  abstract @Nullable Object find(String key);

  abstract boolean has(String key);

  @Override
  public Object value() {
    return this;
  }

  @Override
  public boolean isZeroValue() {
    return isEmpty();
  }

  @Override
  public @Nullable Object get(Object key) {
    return key instanceof String text ? find(text) : null;
  }

  @Override
  public boolean containsKey(Object key) {
    return key instanceof String text && has(text);
  }

  @Override
  public int size() {
    return entrySet().size();
  }

  @Override
  public boolean isEmpty() {
    return size() == 0;
  }

  @Override
  public Set<String> keySet() {
    return inFull().keySet();
  }

  @Override
  public Collection<Object> values() {
    return inFull().values();
  }

  @Override
  public boolean containsValue(Object value) {
    return inFull().containsValue(value);
  }

  /** Returns a map with the same entries that has all methods. */
  private Map<String, Object> inFull() {
    Set<Map.Entry<String, Object>> entries = entrySet();
    return new AbstractMap<>() {
      @Override
      public Set<Map.Entry<String, Object>> entrySet() {
        return entries;
      }
    };
  }

  @Override
  public Object put(String key, Object value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Object remove(Object key) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void putAll(Map<? extends String, ?> entries) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void clear() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean equals(Object other) {
    return inFull().equals(other);
  }

  @Override
  public int hashCode() {
    return inFull().hashCode();
  }

  @Override
  public String toString() {
    return inFull().toString();
  }
}
