import * as z from 'zod';
import { mostOwnLines, ownParts, ownPlaceholders, unknownPlaceholder } from '../../domain/orders/own-words.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { brokenRule } from '../../domain/rules/rules.ts';
import { keepRule, says } from '../says.ts';
import { prose, text } from '../text/texts.ts';

/** A text of a mail in plain words. It refuses a placeholder that no mail can fill. */
const worded = <T extends z.ZodType<string>>(schema: T) =>
  schema.refine((words) => unknownPlaceholder(words) === undefined, {
    error: (issue) => {
      const known = ownPlaceholders.map((name) => `{${name}}`).join(' ');
      const wrong = unknownPlaceholder(String(issue.input)) ?? '';
      return keepRule(issue, brokenRule(sentences.mail_placeholder, { wrong, known }));
    },
  });

const fewLines = (most: number) =>
  prose(0, most).refine(
    (words) => words.split('\n').length <= mostOwnLines,
    says(sentences.mail_lines, { most: mostOwnLines }),
  );

/** The merchant's words for one mail in one language. An empty text means the usual words. */
export const MailWordsInput = z.strictObject({
  subject: worded(text(0, ownParts.subject)),
  greeting: worded(fewLines(ownParts.greeting)),
  closing: worded(fewLines(ownParts.closing)),
});
