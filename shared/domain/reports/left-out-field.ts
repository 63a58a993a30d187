import { dayMs } from '../duration.ts';

/** An unsupported field in a request. A stack without `strictFields` ignores such fields. */
export interface LeftOutField {
  /** Its path in the body, such as `feature_flags.require_tax_id`. */
  name: string;
  /** The last day on which a request contained it, in UTC. */
  lastDay: string;
}

const shownDays = 30;

/** Whether it was sent so recently that the merchant should see it. */
export const isStillSent = ({ lastDay }: LeftOutField, now: Date): boolean =>
  now.getTime() - Date.parse(lastDay) < shownDays * dayMs;
