import * as z from 'zod';

/** How long a session lasts, regardless of activity. */
export const sessionMs = 8 * 3_600_000;

/** A session of the dashboard. It lasts until it expires or ends, or until its key is closed or its member removed. */
export const SignIn = z.object({
  id: z.string(),
  /** The hash of the API key, or the id of the member. */
  holder: z.string(),
  startedAt: z.string(),
  expiresAt: z.string(),
  endedAt: z.string().nullable(),
});
export type SignIn = z.infer<typeof SignIn>;

export const isOpen = ({ endedAt, expiresAt }: SignIn, now: string): boolean => endedAt === null && now < expiresAt;

/** The sessions that are open now, among those that began since an instant. */
export const openOnes = (signIns: readonly SignIn[], { now, since }: { now: string; since: string }): SignIn[] =>
  signIns.filter((signIn) => isOpen(signIn, now) && signIn.startedAt >= since);

/** Ends a session. For a session that has already ended, the time of the end stays. */
export const endSignIn = (signIn: SignIn, now: string): SignIn =>
  signIn.endedAt === null ? { ...signIn, endedAt: now } : signIn;
