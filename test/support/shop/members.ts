import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cookieOf, newSession } from '../../../shared/dashboard/session/new-session.ts';
import type { Member, Role } from '../../../shared/domain/access/member.ts';
import { retryStale } from '../../../shared/use-cases/retry.ts';
import { apiKeys, dashboardSecrets, members, newId, now, randomText, signIns } from '../../../shared/wiring/runtime.ts';
import type { Api } from './api.ts';
import type { Browsing } from './dashboard.ts';

/** A member who has joined, straight into the table. */
export async function addMember(role: Role, fields: Partial<Member> = {}): Promise<Member> {
  const id = newId('mbr');
  const at = '2026-01-01T00:00:00.000Z';
  const usual = { id, email: `${id.toLowerCase()}@example.com`, role, invitedAt: at, inviteEndsAt: at, joinedAt: at };
  const member = { ...usual, ...fields };
  await rewriteMembers((others) => [...others, member]);
  return member;
}

/** Writes all members as they are to be. */
export const rewriteMembers = (change: (members: Member[]) => Member[]): Promise<void> =>
  retryStale(async () => {
    const list = await members().list();
    await members().save({ ...list, members: change(list.members) }, []);
  });

/** A session of a member, as a link begins it: its cookie, as `name=value`. */
export async function sessionCookieOf({ id }: Pick<Member, 'id'>): Promise<string> {
  const session = newSession(id, { id: randomText(22), at: now() });
  await signIns().save(session, []);
  const secrets = { apiKeys: apiKeys(), dashboardSecrets: dashboardSecrets() };
  const cookie = await cookieOf(session, { ...secrets, newSecret: () => randomText(43), now });
  return cookie.split(';')[0] ?? '';
}

/** The same, with what its forms carry. */
export async function browseAs(api: Pick<Api, 'call'>, member: Pick<Member, 'id'>): Promise<Browsing> {
  const cookies = [await sessionCookieOf(member)];
  const { text } = await api.call('GET /dashboard', { cookies, key: null });
  return { cookies, token: /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '' };
}

/** A mail as it lies in a folder. */
export interface FolderMail {
  headers: string;
  to: string;
  text: string;
}

/** All mails in a folder, in the order of their sending. */
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
