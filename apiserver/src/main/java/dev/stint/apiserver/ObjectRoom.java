package dev.stint.apiserver;

/** The room for more objects in the memory of a server. */
public enum ObjectRoom {
  /** Everybody may create objects. */
  AMPLE,
  /** Only namespaces that hold little may create objects, see {@link NamespaceShares}. */
  SCARCE,
  /** Nobody may create objects. */
  NONE
}
