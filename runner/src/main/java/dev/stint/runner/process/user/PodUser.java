package dev.stint.runner.process.user;

/** A user that pods run as, and its group. */
public record PodUser(long uid, long gid) {}
