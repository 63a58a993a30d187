import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cookieOf, newSession } from '../../../shared/dashboard/session/new-session.ts';
import type { Member, Role } from '../../../shared/domain/access/member.ts';
import { retryStale } from '../../../shared/use-cases/retry.ts';
import { apiKeys, dashboardSecrets, members, newId, now, randomText, signIns } from '../../../shared/wiring/runtime.ts';
import type { Api } from './api.ts';
import type { Browsing } from './dashboard.ts';

/** Writes a member who has joined directly into the table. */
export async function addMember(role: Role, fields: Partial<Member> = {}): Promise<Member> {
  const id = newId('mbr');
  const at = '2026-01-01T00:00:00.000Z';
  const usual = { id, email: `${id.toLowerCase()}@example.com`, role, invitedAt: at, inviteEndsAt: at, joinedAt: at };
  const member = { ...usual, ...fields };
  await rewriteMembers((others) => [...others, member]);
  return member;
}

/** Writes the complete list of members. */
export const rewriteMembers = (change: (members: Member[]) => Member[]): Promise<void> =>
  retryStale(async () => {
    const list = await members().list();
    await members().save({ ...list, members: change(list.members) }, []);
  });

/** Begins a member's session, like a sign-in link, and returns its cookie as `name=value`. */
export async function sessionCookieOf({ id }: Pick<Member, 'id'>): Promise<string> {
  const session = newSession(id, { id: randomText(22), at: now() });
  await signIns().save(session, []);
  const secrets = { apiKeys: apiKeys(), dashboardSecrets: dashboardSecrets() };
  const cookie = await cookieOf(session, { ...secrets, newSecret: () => randomText(43), now });
  return cookie.split(';')[0] ?? '';
}

/** Begins a member's session, and returns its cookie and the token for its forms. */
export async function browseAs(api: Pick<Api, 'call'>, member: Pick<Member, 'id'>): Promise<Browsing> {
  const cookies = [await sessionCookieOf(member)];
  const { text } = await api.call('GET /dashboard', { cookies, key: null });
  return { cookies, token: /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '' };
}

/** A mail as it is stored in a folder. */
export interface FolderMail {
  headers: string;
  to: string;
  text: string;
}

/** Returns all mails in a folder, in the order in which they were sent. */
export function mailsIn(folder: string): FolderMail[] {
  const order = (name: string): number => Number(/-(\d+)\.eml$/.exec(name)?.[1]);
  const names = readdirSync(folder).filter((name) => name.endsWith('.eml'));
  return names
    .sort((a, b) => order(a) - order(b))
    .map((name) => {
      const [headers = '', , part = ''] = readFileSync(join(folder, name), 'utf8').split('\r\n\r\n');
      const text = Buffer.from(part.split('\r\n--')[0] ?? '', 'base64').toString();
      return { headers, to: /^To: (.*)$/m.exec(headers)?.[1]?.trim() ?? '', text };
    });
}
