import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Merchant } from '../../../shared/domain/merchant.ts';
import { type Api, type ApiAnswer, startApi, testMerchant } from '../../support/shop/api.ts';

interface SentMail {
  to: string;
  text: string;
}

type Jar = Map<string, string>;

/** A shop that mails into a folder, and browsers that visit its portal. */
export async function openPortal(merchant: Merchant = testMerchant): Promise<{
  api: Api;
  visitor: (source?: string, cookies?: Jar) => PortalVisitor;
  mailsTo: (email: string) => SentMail[];
  close: () => Promise<void>;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-'));
  const api = await startApi(merchant, { MAIL_FOLDER: folder });
  const mails = (): SentMail[] =>
    readdirSync(folder)
      .sort()
      .map((name) => mailIn(join(folder, name)));
  const mailsTo = (email: string) => mails().filter(({ to }) => to.toLowerCase() === email.toLowerCase());
  let networks = 0;
  const visitor = (source?: string, cookies: Jar = new Map()) => {
    networks += 1;
    return new PortalVisitor(api, { source: source ?? `198.51.${networks >> 8}.${networks & 255}`, cookies, mailsTo });
  };
  const close = async () => {
    await api.stop();
    rmSync(folder, { recursive: true });
  };
  return { api, visitor, mailsTo, close };
}

function mailIn(file: string): SentMail {
  const raw = readFileSync(file, 'utf8');
  const [, text = ''] = /text\/plain[\s\S]*?\r\n\r\n([\w+/=\r\n]+)/.exec(raw) ?? [];
  const [, to = ''] = /^To: .*?<?([^\s<>]+@[^\s<>]+?)>?\r?$/m.exec(raw) ?? [];
  return { to, text: Buffer.from(text, 'base64').toString() };
}

interface Visiting {
  source: string;
  cookies: Jar;
  mailsTo: (email: string) => SentMail[];
}

/** A browser with cookies of its own. */
export class PortalVisitor {
  readonly #api: Api;
  readonly #at: Visiting;
  readonly #set: string[] = [];

  constructor(api: Api, at: Visiting) {
    this.#api = api;
    this.#at = at;
  }

  jar = (): Jar => new Map(this.#at.cookies);
  /** How a cookie was last set. */
  lastSet = (name: string): string => this.#set.findLast((cookie) => cookie.startsWith(`${name}=`)) ?? '';

  get(url: string): Promise<ApiAnswer> {
    const { pathname, search } = new URL(url, 'http://shop.example');
    return this.#call(`GET ${pathname}`, { query: search.slice(1) });
  }

  post(url: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    const { pathname, search } = new URL(url, 'http://shop.example');
    const raw = Buffer.from(new URLSearchParams(fields).toString());
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.#call(`POST ${pathname}`, { query: search.slice(1), raw, headers: { ...type, ...headers } });
  }

  async #call(request: string, { headers = {}, ...call }: Parameters<Api['call']>[1] & object): Promise<ApiAnswer> {
    const { source, cookies } = this.#at;
    const answer = await this.#api.call(request, {
      ...call,
      key: null,
      source,
      headers: { 'accept-language': 'en', ...headers },
      cookies: [...cookies].map(([name, value]) => `${name}=${value}`),
    });
    for (const cookie of answer.cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (!cookie.includes('Max-Age=0')) this.#set.push(cookie);
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  }

  /** Asks for a link. */
  async ask(email: string): Promise<{ answer: ApiAnswer; mails: SentMail[] }> {
    const before = this.#at.mailsTo(email).length;
    const answer = await this.post('/portal', { step: 'link', email });
    return { answer, mails: this.#at.mailsTo(email).slice(before) };
  }

  /** Asks for a link and reads it in the mail. */
  async link(email: string): Promise<{ token: string }> {
    const { mails } = await this.ask(email);
    const token = /\/portal\/confirm\?token=([\w-]+)/.exec(mails.at(-1)?.text ?? '')?.[1];
    if (!token) throw new Error(`No link was mailed to ${email}.`);
    return { token };
  }

  press = (token: string): Promise<ApiAnswer> => this.post('/portal/confirm', { token });

  async signIn(email: string): Promise<void> {
    const { token } = await this.link(email);
    const { status } = await this.press(token);
    if (status !== 303) throw new Error(`The link of ${email} opened nothing: ${status}.`);
  }
}
