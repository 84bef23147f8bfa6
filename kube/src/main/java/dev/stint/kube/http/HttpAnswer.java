package dev.stint.kube.http;

/** A whole answer; its body is empty if it has none. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record HttpAnswer(AnswerHead head, byte[] body) {}
