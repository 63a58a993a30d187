import { createHmac } from 'node:crypto';
import { opens } from '../documents/document-access.ts';

/** How long the link of a download works. */
export const downloadLinkSeconds = 86_400;

/** A file of one grant. */
export interface GrantedFile {
  grantId: string;
  fileId: string;
}

export const downloadPath = ({ grantId, fileId }: GrantedFile): string => `/downloads/${grantId}/${fileId}`;

/** The page of a file. Anyone who has the token can press its button and gets the file. */
export const downloadUrl = (publicUrl: string, file: GrantedFile, token: string): string =>
  `${publicUrl}${downloadPath(file)}?token=${token}`;

/**
 * Makes the token of a link to one file of one grant. It is signed with the secret of the order, so a new link to the
 * order ends it too. Each use checks again whether the buyer has a right to the file.
 */
export function downloadToken(file: GrantedFile, now: Date, secret: string): string {
  const until = Math.floor(now.getTime() / 1_000 + downloadLinkSeconds).toString(36);
  return `${until}.${sign(file, until, secret)}`;
}

interface Signing {
  now: Date;
  secret: string;
}

/** Whether a token opens this file, is expired, or was not made by this stack. */
export function tokenStanding(
  token: string,
  file: GrantedFile,
  { now, secret }: Signing,
): 'open' | 'expired' | 'foreign' {
  const [until = '', signature = '', ...more] = token.split('.');
  if (more.length > 0 || !opens([signature], [sign(file, until, secret)])) return 'foreign';
  return now.getTime() / 1_000 < Number.parseInt(until, 36) ? 'open' : 'expired';
}

const sign = ({ grantId, fileId }: GrantedFile, until: string, secret: string): string =>
  createHmac('sha256', secret).update(`download ${grantId} ${fileId} ${until}`).digest('base64url');
