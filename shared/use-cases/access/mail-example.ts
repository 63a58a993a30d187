import type { Mail, Mailer } from '../../domain/mail.ts';
import { describeError, logError } from '../../log.ts';
import type { ThrottleStore } from '../../store/access/throttle-store.ts';

interface MailExampleDeps {
  mailer: Mailer | undefined;
  throttles: ThrottleStore;
  hashOf: (text: string) => string;
  now: () => Date;
}

/** How many example mails a member can request in an hour. */
const hourlyExamples = 20;

/**
 * Sends an example mail to the member who requested it. The result says whether it was sent, was refused because of too
 * many in this hour, or failed.
 */
export async function mailExample(
  { mailer, throttles, hashOf, now }: MailExampleDeps,
  memberId: string,
  mail: Mail,
): Promise<'sent' | 'often' | 'failed'> {
  try {
    const count = await throttles.count(hashOf(`example ${memberId}`), now());
    if (count > hourlyExamples) return 'often';
    return (await mailer?.send(mail)) === 'sent' ? 'sent' : 'failed';
  } catch (error) {
    logError('An example of a mail was not sent.', describeError(error));
    return 'failed';
  }
}
