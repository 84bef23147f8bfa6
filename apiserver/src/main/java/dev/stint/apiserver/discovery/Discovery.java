package dev.stint.apiserver.discovery;

public final class Discovery {}
