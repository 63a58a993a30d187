import { MailTag } from '../../domain/orders/mail-notes.ts';

/** A mail's tag in the form that SES accepts. */
export const sesTags = ({ subjectId, attempt, orderLink }: MailTag) => ({
  document: subjectId,
  attempt,
  order_link: String(orderLink),
});

/**
 * A mail's tag in the form that SES returns: each value is a list.
 * @throws ZodError if this stack did not make the tag
 */
export const tagOf = (tags: Readonly<Record<string, readonly string[]>>): MailTag =>
  MailTag.parse({
    subjectId: tags['document']?.[0],
    attempt: tags['attempt']?.[0],
    orderLink: Number(tags['order_link']?.[0]),
  });
