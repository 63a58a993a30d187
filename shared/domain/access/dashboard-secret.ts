import * as z from 'zod';
import { hourMs } from '../duration.ts';
import { sessionMs } from './sign-in.ts';

/** What signs the sessions of the dashboard and the cookies of known browsers. Unlike the stack's secret, it can be replaced. */
export const DashboardSecret = z.object({
  secret: z.string().min(32),
  /** From when it signs. Before, the stack's secret signs, which functions of version 0.2.0 know too. */
  signsFrom: z.string(),
  /** Until when sessions are good that the stack's secret has signed. */
  formerUntil: z.string(),
  /** Counts the writes; 0 before the first one. */
  version: z.int(),
});
export type DashboardSecret = z.infer<typeof DashboardSecret>;

/** Longer than a deployment runs functions of two versions side by side. */
const deploymentMs = hourMs;

/**
 * The first secret of a stack. Where version 0.2.0 has signed sessions before, they last as long as they would have,
 * and functions of 0.2.0 open the new ones until the deployment is over.
 */
export function firstDashboardSecret(secret: string, now: Date, hasFormer: boolean): DashboardSecret {
  const signsFrom = now.getTime() + (hasFormer ? deploymentMs : 0);
  const formerUntil = signsFrom + (hasFormer ? sessionMs : 0);
  const [from, until] = [signsFrom, formerUntil].map((at) => new Date(at).toISOString()) as [string, string];
  return { secret, signsFrom: from, formerUntil: until, version: 0 };
}

/** Another secret, which signs at once. It ends every session that was signed before. */
export const rotatedDashboardSecret = (
  before: DashboardSecret | undefined,
  secret: string,
  now: string,
): DashboardSecret => ({ secret, signsFrom: now, formerUntil: now, version: before?.version ?? 0 });

/** Whether it signs now; if not, the stack's secret does. */
export const signs = ({ signsFrom }: DashboardSecret, now: Date): boolean => now.toISOString() >= signsFrom;

/** Whether a session is good now that the stack's secret has signed. */
export const takesFormer = (known: DashboardSecret | undefined, now: Date): boolean =>
  known === undefined || now.toISOString() < known.formerUntil;

/** From when sessions must have begun to be open; empty where none has ended by another secret. */
export const sessionsSince = (known: DashboardSecret | undefined): string =>
  known === undefined || known.formerUntil > known.signsFrom ? '' : known.signsFrom;
