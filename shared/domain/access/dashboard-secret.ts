import * as z from 'zod';
import { hourMs } from '../duration.ts';
import { sessionMs } from './sign-in.ts';

/**
 * The secret that signs the sessions of the dashboard and the cookies of known browsers. Unlike the stack's secret,
 * it can be replaced.
 */
export const DashboardSecret = z.object({
  secret: z.string().min(32),
  /**
   * The time from which this secret signs. Before that, the stack's secret signs, which functions of version 0.2.0
   * also know.
   */
  signsFrom: z.string(),
  /** The time until which sessions stay valid that were signed with the stack's secret. */
  formerUntil: z.string(),
  /** How often this row was written; 0 before the first write. A writer that read an older version fails. */
  version: z.int(),
});
export type DashboardSecret = z.infer<typeof DashboardSecret>;

/** How long the functions of two versions can run at the same time during a deployment, with a margin. */
const deploymentMs = hourMs;

/**
 * The first secret of a stack. Sessions that version 0.2.0 has signed stay valid for their normal time, and functions
 * of 0.2.0 can open new sessions until the deployment is over.
 */
export function firstDashboardSecret(secret: string, now: Date, hasFormer: boolean): DashboardSecret {
  const signsFrom = now.getTime() + (hasFormer ? deploymentMs : 0);
  const formerUntil = signsFrom + (hasFormer ? sessionMs : 0);
  const [from, until] = [signsFrom, formerUntil].map((at) => new Date(at).toISOString()) as [string, string];
  return { secret, signsFrom: from, formerUntil: until, version: 0 };
}

/** A new secret, which signs at once. All earlier sessions end. */
export const rotatedDashboardSecret = (
  before: DashboardSecret | undefined,
  secret: string,
  now: string,
): DashboardSecret => ({ secret, signsFrom: now, formerUntil: now, version: before?.version ?? 0 });

/** Whether this secret signs now; if not, the stack's secret signs. */
export const signs = ({ signsFrom }: DashboardSecret, now: Date): boolean => now.toISOString() >= signsFrom;

/** Whether sessions that were signed with the stack's secret are still valid. */
export const takesFormer = (known: DashboardSecret | undefined, now: Date): boolean =>
  known === undefined || now.toISOString() < known.formerUntil;

/** Sessions that began before this time are no longer open. Empty if the secret was never replaced. */
export const sessionsSince = (known: DashboardSecret | undefined): string =>
  known === undefined || known.formerUntil > known.signsFrom ? '' : known.signsFrom;
