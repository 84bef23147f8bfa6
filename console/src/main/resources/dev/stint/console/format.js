// Formats numbers and times for people.

const NUMBER = new Intl.NumberFormat("en");

export const number = (value) => NUMBER.format(value);

/** Returns 1 pod, 3 pods. */
export const count = (value, one, several) => `${number(value)} ${value === 1 ? one : several}`;

/** Formats a span of seconds: 850ms, 12s, 3m 05s, 2h 10m, 3d 4h. */
export function duration(seconds) {
  if (seconds < 0) {
    return "0s";
  }
  if (seconds > 0 && seconds < 1) {
    return `${Math.round(seconds * 1000)}ms`;
  }
  const s = Math.floor(seconds);
  if (s < 60) {
    return seconds < 10 && seconds % 1 ? `${seconds.toFixed(1)}s` : `${s}s`;
  }
  if (s < 3600) {
    return `${Math.floor(s / 60)}m ${String(s % 60).padStart(2, "0")}s`;
  }
  if (s < 86400) {
    return `${Math.floor(s / 3600)}h ${String(Math.floor(s / 60) % 60).padStart(2, "0")}m`;
  }
  return `${Math.floor(s / 86400)}d ${Math.floor(s / 3600) % 24}h`;
}

/** Formats the duration of an attempt, whose times may be in whole seconds. */
export const brief = (seconds) => (seconds === 0 ? "<1s" : duration(seconds));

/** Formats a growing span in whole seconds. */
export const going = (seconds) => duration(Math.floor(Math.max(0, seconds)));

/** Formats an age in one unit: 12s, 5m, 3h, 2d. */
export function age(seconds) {
  const s = Math.max(0, Math.floor(seconds));
  return s < 60
    ? `${s}s`
    : s < 3600
      ? `${Math.floor(s / 60)}m`
      : s < 86400
        ? `${Math.floor(s / 3600)}h`
        : `${Math.floor(s / 86400)}d`;
}

const EXITS = {
  126: "not executable",
  127: "command not found",
  134: "aborted",
  137: "killed",
  139: "segmentation fault",
  143: "terminated",
};

/** Says what an exit code usually means; empty for most. */
export const exitWords = (code) => EXITS[code] ?? "";

export function rate(perSecond) {
  return perSecond >= 10
    ? `${number(Math.round(perSecond))}/s`
    : perSecond >= 0.1
      ? `${perSecond.toFixed(1)}/s`
      : `${(perSecond * 60).toFixed(1)}/min`;
}

export const seconds = (iso) => Date.parse(iso) / 1000;

export const now = () => Date.now() / 1000;

const CLOCK = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

/** Formats a time of day, with the date if it is not today. */
export function clock(iso) {
  const time = new Date(iso);
  const today = time.toDateString() === new Date().toDateString();
  return today ? CLOCK.format(time) : `${DAY.format(time)}, ${CLOCK.format(time)}`;
}

export function bytes(size) {
  return size < 1000
    ? `${size} B`
    : size < 1e6
      ? `${(size / 1000).toFixed(1)} kB`
      : `${(size / 1e6).toFixed(1)} MB`;
}

/** Describes the progress of a Job. */
export function progressWords(job) {
  const wanted = job.completions === undefined ? "" : ` of ${number(job.completions)}`;
  const failed = job.failedIndexes
    ? `, ${count(job.failedIndexes, "index", "indexes")} failed`
    : job.failed
      ? `, ${count(job.failed, "pod", "pods")} failed`
      : "";
  return `${number(job.succeeded)}${wanted} succeeded${failed}, ${number(job.active)} active`;
}

/** Returns how long a Job took or has been running, in seconds; null if it has not started. */
export function took(job) {
  return job.startedAt
    ? (job.endedAt ? seconds(job.endedAt) : now()) - seconds(job.startedAt)
    : null;
}
