import { mailComposer } from '../../shared/documents/document-mail.ts';
import { mailLinkPage } from '../../shared/documents/mail-link-page.ts';
import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';
import { openMailer } from '../../shared/outside/mail/open-mailer.ts';
import { documents } from '../../shared/wiring/books.ts';
import { newId, now, site } from '../../shared/wiring/runtime.ts';

const merchant = env.merchant();
const from = merchant.receipts?.from;
const mailer = openMailer({ folder: env.mailFolder(), from, now });
const compose = mailComposer({ site: site(), isSandbox: env.stage() === 'sandbox', from });
const deps = { documents: documents(), mailer, compose, merchant, newId, now };

/** POST /invoices/payments/{payment_id} /invoices/refunds/{refund_id} */
export const handler = page(mailLinkPage(deps));
