import { setTimeout as pause } from 'node:timers/promises';
import { type Mailer, MailServiceBusy } from '../../domain/mail.ts';

/** The longest pause before a mail is offered again to a busy mail service. */
const longestPauseMs = 1_000;

/** Offers each mail to a busy mail service again, as long as there is time and its quota of the day is not used up. */
export function patientMailer(
  mailer: Mailer,
  { hasTime, random }: { hasTime: () => boolean; random: () => number },
): Mailer {
  const send: Mailer['send'] = async (mail) => {
    for (;;) {
      try {
        return await mailer.send(mail);
      } catch (error) {
        if (!(error instanceof MailServiceBusy) || error.isDayOver || !hasTime()) throw error;
        await pause(random() * longestPauseMs);
      }
    }
  };
  return { ...mailer, send };
}
