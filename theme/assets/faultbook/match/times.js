// @ts-check
/** Printed times as comparable whole milliseconds. */

const CLOCK = "([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]{1,9}))?";
const FULL = new RegExp(`^([0-9]{4})[-/]([0-9]{2})[-/]([0-9]{2})[T ]${CLOCK}(Z|[-+][0-9]{2}:?[0-9]{2})?`);
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const SYSLOG = new RegExp(`^(?:[A-Z][a-z]{2} )?([A-Z][a-z]{2}) ([ 0-9][0-9]) ${CLOCK}`);
const ONLY_CLOCK = new RegExp(`^${CLOCK}$`);
const MONTH_DAY = /^([0-9]{1,2})-?([0-9]{2})$/;
const UPTIME = /^[0-9]{1,10}[.][0-9]{6}$/;
const DAY = 86_400_000;

/**
 * @typedef {object} Moment only moments of one scale compare
 * @property {"date" | "day" | "clock" | "uptime"} scale what it counts from
 * @property {number} value milliseconds
 */

/**
 * The time that a line's prefixes state, null where they state none.
 * @param {Record<string, string>} fields
 * @returns {Moment | null}
 */
export function momentOf(fields) {
  const moment = fields.time ? full(fields.time) ?? syslog(fields.time) : null;
  if (moment) return moment;
  const clock = ONLY_CLOCK.exec(fields.clock ?? "");
  if (clock) {
    const value = milliseconds(clock.slice(1));
    const day = MONTH_DAY.exec(fields.month_day ?? "");
    if (day) return { scale: "day", value: days(2000, Number(day[1]), Number(day[2])) * DAY + value };
    return { scale: "clock", value };
  }
  const uptime = fields.uptime ?? "";
  if (!UPTIME.test(uptime)) return null;
  return { scale: "uptime", value: Math.floor(Number(uptime.replace(".", "")) / 1000) };
}

/**
 * The time of a line as its prefixes print it.
 * @param {Record<string, string>} fields
 * @returns {string | null}
 */
export function shown(fields) {
  if (fields.time) return fields.time;
  if (fields.clock) return fields.month_day ? `${fields.month_day} ${fields.clock}` : fields.clock;
  return fields.uptime ?? null;
}

/** @param {string} text @returns {Moment | null} */
function full(text) {
  const found = FULL.exec(text);
  if (found === null) return null;
  let value = days(Number(found[1]), Number(found[2]), Number(found[3])) * DAY;
  value += milliseconds(found.slice(4, 8));
  const zone = found[8];
  if (zone && zone !== "Z") {
    const sign = zone[0] === "-" ? -1 : 1;
    value -= sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))) * 60_000;
  }
  return { scale: "date", value };
}

/** @param {string} text @returns {Moment | null} */
function syslog(text) {
  const found = SYSLOG.exec(text);
  if (found === null || !MONTHS.includes(found[1])) return null;
  const day = days(2000, MONTHS.indexOf(found[1]) + 1, Number(found[2]));
  return { scale: "day", value: day * DAY + milliseconds(found.slice(3, 7)) };
}

/** @param {(string | undefined)[]} clock hours, minutes, seconds, fraction @returns {number} */
function milliseconds([hours, minutes, seconds, part]) {
  const fraction = Number((part ?? "0").padEnd(3, "0").slice(0, 3));
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + fraction;
}

/**
 * Days since 1970-01-01, also for a date that no calendar has.
 * Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
 * @param {number} year
 * @param {number} month
 * @param {number} day
 * @returns {number}
 */
function days(year, month, day) {
  if (month <= 2) year--;
  const era = Math.floor(year / 400);
  const ofEra = year - era * 400;
  const ofYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return era * 146_097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719_468;
}
