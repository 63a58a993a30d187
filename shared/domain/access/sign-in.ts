import * as z from 'zod';

/** Somebody who has signed in to the dashboard with a key, until it expires, is ended, or the key is closed. */
export const SignIn = z.object({
  id: z.string(),
  /** Of the API key. */
  keyHash: z.string(),
  startedAt: z.string(),
  expiresAt: z.string(),
  endedAt: z.string().nullable(),
});
export type SignIn = z.infer<typeof SignIn>;

export const isOpen = ({ endedAt, expiresAt }: SignIn, now: string): boolean => endedAt === null && now < expiresAt;

/** Ends a session for good; one that has ended stays as it was. */
export const endSignIn = (signIn: SignIn, now: string): SignIn =>
  signIn.endedAt === null ? { ...signIn, endedAt: now } : signIn;
