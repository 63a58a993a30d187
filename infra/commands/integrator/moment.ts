import { UsageError } from '../../usage-error.ts';

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Converts `10m` (from now on), a day, or a time such as 2026-11-22T10:00:00Z to RFC 3339. */
export function laterBy(text: string, now: Date): string {
  const [, count, unit = ''] = /^\+?(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now.getTime() + Number(count) * (unitMs[unit] ?? 0)).toISOString();
  return momentOf('The step', text, now);
}

/** Converts a typed time to RFC 3339. It may be `10m` (ago), a day, or a time such as 2026-11-22T10:00:00Z. */
export function momentOf(option: string, text: string, now: Date): string {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now.getTime() - Number(count) * (unitMs[unit] ?? 0)).toISOString();
  const time = /^\d{4}-\d{2}-\d{2}(T.*(Z|[+-]\d{2}:\d{2}))?$/.test(text) ? new Date(text) : new Date(Number.NaN);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  throw new UsageError(`${option} must be a span such as 10m, 2h or 7d, or a time such as 2026-11-22T10:00:00Z.`);
}
