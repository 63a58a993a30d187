import type { EventBridgeEvent } from 'aws-lambda';
import * as z from 'zod';
import { env } from '../../shared/env.ts';
import { logWarn, namedIds } from '../../shared/log.ts';
import { readMailReport } from '../../shared/outside/mail/read-mail-report.ts';
import { mails } from '../../shared/wiring/books.ts';
import { worker } from '../../shared/wiring/worker.ts';

const { supportEmail } = env.merchant();
const store = mails();

/**
 * Called for each event of the mail service: stores the result of a mail with a document. If an event cannot be read or
 * belongs to no mail, another call cannot help. Such an event is only logged, once and without addresses.
 */
export const handler = worker(async (event: EventBridgeEvent<string, unknown>) => {
  try {
    const report = readMailReport(event, supportEmail);
    if (report && !(await store.noteReport(report)))
      logWarn('A report of the mail service fits no mail.', {
        what: report.note.what,
        ...namedIds([report.tag.subjectId]),
      });
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    logWarn('A report of the mail service cannot be read.', { fields: error.issues.map(({ path }) => path.join('.')) });
  }
});
