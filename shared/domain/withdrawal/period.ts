import { hourMs } from '../duration.ts';
import { hoursAheadOf, timeZonesOf } from '../places/time-zones.ts';
import { dateIn } from '../places/zone-date.ts';
import { dayAfter, workingDayFrom, yearAfter } from './working-days.ts';

/**
 * The days of the withdrawal period. The next constant is the number of days of grace after it, in which a declaration
 * is still treated as in time.
 */
const withdrawalDays = 14;
const graceDays = 5;

/** The facts that decide a withdrawal period. */
export interface PeriodFacts {
  /** When the contract was concluded. */
  concludedAt: string;
  /** The buyer's country. */
  country: string;
  /** When the mail service accepted the mail with the instructions about withdrawal; null if it did not. */
  instructionsAt: string | null;
}

/** A period of withdrawal. Days are local, `YYYY-MM-DD`, instants are ISO. */
export interface WithdrawalPeriod {
  /**
   * The first day that counts: the day after the contract was concluded, or after the instructions if they were late.
   */
  firstDay: string;
  lastDay: string;
  /** The last millisecond of the last day, in the time zone of the country in which the day ends last. */
  endsAt: string;
  /** The end of the days of grace. A declaration until then is treated as in time. */
  graceEndsAt: string;
  /**
   * Why the period has this length. `no_instructions`: twelve months longer, because nothing proves that instructions
   * were sent.
   */
  why: 'fourteen_days' | 'instructions_late' | 'no_instructions';
}

/**
 * The withdrawal period (Directive 2011/83/EU, art. 9 and 10; Regulation 1182/71, art. 3). The day of the contract does
 * not count. A period that ends on a day off ends on the next working day. In a country with several time zones, the
 * latest end applies. Late instructions start the period again, and without instructions it is twelve months longer.
 */
export function withdrawalPeriod(facts: PeriodFacts): WithdrawalPeriod {
  const zones = timeZonesOf(facts.country);
  const periods = (zones.length > 0 ? zones : ['UTC']).map((zone) => periodIn(zone, facts));
  return periods.reduce((latest, period) => (period.endsAt > latest.endsAt ? period : latest));
}

function periodIn(zone: string, { concludedAt, country, instructionsAt }: PeriodFacts): WithdrawalPeriod {
  const contractDay = dateIn(zone, new Date(concludedAt));
  const informedDay = instructionsAt === null ? null : dateIn(zone, new Date(instructionsAt));
  const lastFrom = (day: string): string => workingDayFrom(country, dayAfter(day, withdrawalDays));
  const period = (day: string, lastDay: string, why: WithdrawalPeriod['why']): WithdrawalPeriod => ({
    firstDay: dayAfter(day, 1),
    lastDay,
    endsAt: endOfDay(zone, lastDay),
    graceEndsAt: endOfDay(zone, dayAfter(lastDay, graceDays)),
    why,
  });
  if (informedDay === null || informedDay > yearAfter(contractDay))
    return period(contractDay, workingDayFrom(country, yearAfter(lastFrom(contractDay))), 'no_instructions');
  if (informedDay <= contractDay) return period(contractDay, lastFrom(contractDay), 'fourteen_days');
  return period(informedDay, lastFrom(informedDay), 'instructions_late');
}

/** The last millisecond of a day in a time zone. In this area, the clocks change by whole hours. */
function endOfDay(zone: string, day: string): string {
  const next = Date.parse(dayAfter(day, 1));
  const [least, most] = hoursAheadOf(zone);
  const hours = Array.from({ length: most - least + 1 }, (_, index) => new Date(next - (most - index) * hourMs));
  const start = hours.find((hour) => dateIn(zone, hour) > day) as Date;
  return new Date(start.getTime() - 1).toISOString();
}

/**
 * Whether a declaration is in time, late, or in the days of grace. `in_grace` is slightly late, but is treated as in
 * time.
 */
export function timelinessOf(
  { endsAt, graceEndsAt }: Pick<WithdrawalPeriod, 'endsAt' | 'graceEndsAt'>,
  declaredAt: string,
): 'in_time' | 'in_grace' | 'late' {
  const at = Date.parse(declaredAt);
  if (at <= Date.parse(endsAt)) return 'in_time';
  return at <= Date.parse(graceEndsAt) ? 'in_grace' : 'late';
}
