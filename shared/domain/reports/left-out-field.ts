import { dayMs } from '../duration.ts';

/** A field that is not supported, and that a stack without `strictFields` left out of requests. */
export interface LeftOutField {
  /** Its path in the body, such as `feature_flags.require_tax_id`. */
  name: string;
  /** The last day on which a request had it, in UTC. */
  lastDay: string;
}

const shownDays = 30;

/** Whether it was sent so recently that the merchant should know. */
export const isStillSent = ({ lastDay }: LeftOutField, now: Date): boolean =>
  now.getTime() - Date.parse(lastDay) < shownDays * dayMs;
