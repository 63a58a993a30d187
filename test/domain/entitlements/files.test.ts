import { describe, expect, it } from 'vitest';
import { downloadToken, tokenStanding } from '../../../shared/domain/entitlements/download-link.ts';
import type { EntitlementFile, FilesConfig } from '../../../shared/domain/entitlements/entitlement.ts';
import {
  downloadSeconds,
  isAsAnnounced,
  maxFileBytes,
  maxFiles,
  newFile,
  offeredFiles,
  withFile,
  withFileName,
  withFindings,
  withoutFile,
} from '../../../shared/domain/entitlements/files.ts';

const now = new Date('2026-01-01T12:00:00.000Z');
const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
const fileNamed = (id: string, more: Partial<EntitlementFile> = {}): EntitlementFile => ({
  ...newFile({ name: `${id}.pdf` }, { id, now }),
  ...more,
});
const configOf = (...files: EntitlementFile[]): FilesConfig => ({
  type: 'digital_files',
  files,
  url: null,
  instructions: null,
});
const sha256 = 'a'.repeat(64);

describe('uploaded bytes match the announced file', () => {
  it.each([
    ['of any size, where none was announced', {}, { size: 1, sha256: null }, true],
    ['of the largest size', {}, { size: maxFileBytes, sha256: null }, true],
    ['of the announced size and checksum', { size: 3, sha256 }, { size: 3, sha256 }, true],
    ['not if they are too large', {}, { size: maxFileBytes + 1, sha256: null }, false],
    ['not if there are none', {}, { size: 0, sha256: null }, false],
    ['not with another size', { size: 3 }, { size: 4, sha256: null }, false],
    ['not with another checksum', { size: 3, sha256 }, { size: 3, sha256: 'b'.repeat(64) }, false],
    ['not without the announced checksum', { size: 3, sha256 }, { size: 3, sha256: null }, false],
  ])('%s', (_, announced, found, isGood) => {
    expect(isAsAnnounced(fileNamed('fil_1', announced), found)).toBe(isGood);
  });
});

describe('the check whether a file has arrived in the bucket', () => {
  const awaited = fileNamed('fil_1');

  it('makes a file ready once its bytes are there, and stores their size', () => {
    const found = new Map([['fil_1', { size: 5, sha256: null }]]);
    const config = withFindings(configOf(awaited), found, now);
    expect(config.files).toEqual([{ ...awaited, size: 5, isReady: true }]);
    expect(offeredFiles(config)).toHaveLength(1);
  });

  it('removes a file whose bytes are too large', () => {
    const found = new Map([['fil_1', { size: maxFileBytes + 1, sha256: null }]]);
    expect(withFindings(configOf(awaited), found, now).files).toEqual([]);
  });

  it('waits a day for a missing file, and then removes it', () => {
    const missing = new Map([['fil_1', undefined]]);
    expect(withFindings(configOf(awaited), missing, later(23)).files).toEqual([awaited]);
    expect(withFindings(configOf(awaited), missing, later(24)).files).toEqual([]);
  });

  it('changes no file that is ready, and no file that it did not look for', () => {
    const files = [fileNamed('fil_1', { isReady: true, size: 5 }), fileNamed('fil_2')];
    expect(withFindings(configOf(...files), new Map([['fil_1', undefined]]), later(99)).files).toEqual(files);
  });
});

it('a file is added at the end, renamed in its place, and removed', () => {
  const config = withFile(configOf(fileNamed('fil_1')), fileNamed('fil_2'));
  expect(config.files.map(({ id }) => id)).toEqual(['fil_1', 'fil_2']);
  expect(withFileName(config, 'fil_1', 'New.pdf').files.map(({ name }) => name)).toEqual(['New.pdf', 'fil_2.pdf']);
  expect(withoutFile(config, 'fil_1').files.map(({ id }) => id)).toEqual(['fil_2']);
});

it('an entitlement has at most 100 files', () => {
  const full = configOf(...Array.from({ length: maxFiles }, (_, index) => fileNamed(`fil_${index}`)));
  expect(() => withFile(full, fileNamed('fil_more'))).toThrow('at most 100 files');
});

it.each([
  [0, 3_600],
  [450_000_000, 3_600], // 450 MB ÷ 125,000 bytes a second = 3,600 s
  [450_000_001, 3_601],
  [maxFileBytes, 42_950], // 5,368,709,120 ÷ 125,000 = 42,949.7
  [maxFileBytes * 2, 43_200],
])('a download of %d bytes may take %d seconds: 1 Mbit/s, between one hour and twelve hours', (bytes, seconds) => {
  expect(downloadSeconds(bytes)).toBe(seconds);
});

describe('the token of a download', () => {
  const file = { grantId: 'entg_1', fileId: 'fil_1' };
  const secret = 'secret';
  const token = downloadToken(file, now, secret);

  it('opens its file for 24 hours', () => {
    expect(tokenStanding(token, file, { now, secret })).toBe('open');
    expect(tokenStanding(token, file, { now: later(23.99), secret })).toBe('open');
    expect(tokenStanding(token, file, { now: later(24), secret })).toBe('expired');
  });

  it.each([
    ['another file', { ...file, fileId: 'fil_2' }, token],
    ['another grant', { ...file, grantId: 'entg_2' }, token],
    ['a later end', file, `zzzzzzz.${token.split('.')[1]}`],
    ['no signature', file, `${token.split('.')[0]}.`],
    ['more after it', file, `${token}.x`],
    ['nothing', file, ''],
    ['a long text', file, 'x'.repeat(300_000)],
  ])('is not accepted with %s', (_, asked, presented) => {
    expect(tokenStanding(presented, asked, { now, secret })).toBe('foreign');
    expect(tokenStanding(presented, asked, { now, secret: 'other' })).toBe('foreign');
  });
});
