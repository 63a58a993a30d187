import { endSignIn, type SignIn } from '../../domain/access/sign-in.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { SignInStore } from '../../store/access/sign-in-store.ts';

export interface EndSessionDeps {
  signIns: Pick<SignInStore, 'find' | 'save'>;
  now: () => Date;
}

/** Ends a session of a key or a member. Its cookie stops working at once, because every request reads the row. */
export async function endSession(
  deps: EndSessionDeps,
  { holder, id }: Pick<SignIn, 'holder' | 'id'>,
  claim: Claim<SignIn>,
): Promise<SignIn> {
  const signIn = await deps.signIns.find(holder, id);
  if (!signIn) throw new DomainError('NOT_FOUND', 'There is no such session.');
  const ended = endSignIn(signIn, deps.now().toISOString());
  await deps.signIns.save(ended, claim(ended, { command: 'session.end', subject: id, details: {} }));
  return ended;
}
