import { dayMs, hourMs } from '../duration.ts';

/** A span of time, in instants. */
export interface Window {
  createdFrom: string;
  createdTo: string;
}

/** A shop that sells less in the same hours is not judged: chance alone could leave them empty. */
export const leastUsualSales = 5;

const windowHours = [1, 3, 6, 12, 24];
const comparedDays = 7;
/** After so many days without a sale no alarm rings: the shop has closed, or its merchant knows. */
const mostSilentDays = 7;

/**
 * What the silence since the last sale is compared with: for each length that it has, the same hours of the seven days
 * up to that sale. Empty where there is nothing to compare.
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
