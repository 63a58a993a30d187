import { dayMs, hourMs } from '../duration.ts';

/** A time window between two instants. */
export interface Window {
  createdFrom: string;
  createdTo: string;
}

/** The minimum number of earlier sales for a comparison. With fewer, a window without sales could be chance. */
export const leastUsualSales = 5;

const windowHours = [1, 3, 6, 12, 24];
const comparedDays = 7;
/** After this many days without a sale, no alarm is raised. By then, the shop has closed or its merchant knows. */
const mostSilentDays = 7;

/**
 * The earlier windows to compare with the time since the last sale: the same hours on each of the seven days before
 * that sale. Empty if there is nothing to compare.
 */
export function usualWindows(lastSaleAt: string, now: Date): Window[][] {
  const silentMs = now.getTime() - Date.parse(lastSaleAt);
  if (silentMs > mostSilentDays * dayMs) return [];
  const sameHours = (hours: number) => {
    const silentDays = Math.max(1, Math.ceil((silentMs - hours * hourMs) / dayMs));
    return Array.from({ length: comparedDays }, (_, index) => windowBefore(now, silentDays + index, hours));
  };
  return windowHours.filter((hours) => hours * hourMs <= silentMs).map(sameHours);
}

function windowBefore(now: Date, days: number, hours: number): Window {
  const end = now.getTime() - days * dayMs;
  return { createdFrom: new Date(end - hours * hourMs).toISOString(), createdTo: new Date(end - 1).toISOString() };
}
