import { MailTag } from '../../domain/orders/mail-notes.ts';

/** A mail's tag as SES takes it. */
export const sesTags = ({ subjectId, attempt, orderLink }: MailTag) => ({
  document: subjectId,
  attempt,
  order_link: String(orderLink),
});

/**
 * A mail's tag as SES gives it back: each value in a list.
 * @throws ZodError if it is not one of ours
 */
export const tagOf = (tags: Readonly<Record<string, readonly string[]>>): MailTag =>
  MailTag.parse({
    subjectId: tags['document']?.[0],
    attempt: tags['attempt']?.[0],
    orderLink: Number(tags['order_link']?.[0]),
  });
