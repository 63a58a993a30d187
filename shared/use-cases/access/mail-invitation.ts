import type { Member } from '../../domain/access/member.ts';
import type { Mail, Mailer } from '../../domain/mail.ts';
import { describeError, logError } from '../../log.ts';
import type { ThrottleStore } from '../../store/access/throttle-store.ts';
import { hourlyLinks } from './request-sign-in-link.ts';

interface MailInvitationDeps {
  mailer: Mailer | undefined;
  compose: (member: Member) => Mail;
  throttles: ThrottleStore;
  hashOf: (text: string) => string;
  now: () => Date;
}

/**
 * Mails an invitation. In an hour, an address gets at most as many as it gets sign-in links. Returns false if no mail
 * was sent; the invitation is still valid then.
 */
export async function mailInvitation(
  { mailer, compose, throttles, hashOf, now }: MailInvitationDeps,
  member: Member,
): Promise<boolean> {
  try {
    const sent = await throttles.count(hashOf(`invitation ${member.email}`), now());
    if (!mailer || sent > hourlyLinks.address) return false;
    return (await mailer.send(compose(member))) === 'sent';
  } catch (error) {
    logError('An invitation was not mailed.', describeError(error));
    return false;
  }
}
