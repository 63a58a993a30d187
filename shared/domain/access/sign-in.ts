import * as z from 'zod';

/** A session of the dashboard. It lasts until it expires or ends, or until its key is closed. */
export const SignIn = z.object({
  id: z.string(),
  /** The hash of the API key. */
  keyHash: z.string(),
  startedAt: z.string(),
  expiresAt: z.string(),
  endedAt: z.string().nullable(),
});
export type SignIn = z.infer<typeof SignIn>;

export const isOpen = ({ endedAt, expiresAt }: SignIn, now: string): boolean => endedAt === null && now < expiresAt;

/** Ends a session. An ended session keeps its time. */
export const endSignIn = (signIn: SignIn, now: string): SignIn =>
  signIn.endedAt === null ? { ...signIn, endedAt: now } : signIn;
