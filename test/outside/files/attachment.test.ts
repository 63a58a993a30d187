import fc from 'fast-check';
import { expect, it } from 'vitest';
import { attachmentNamed } from '../../../shared/outside/files/attachment.ts';

it.each([
  ['book.pdf', `attachment; filename="book.pdf"; filename*=UTF-8''book.pdf`],
  ['Smörgås.epub', `attachment; filename="Sm_rg_s.epub"; filename*=UTF-8''Sm%C3%B6rg%C3%A5s.epub`],
  ['本.pdf', `attachment; filename="_.pdf"; filename*=UTF-8''%E6%9C%AC.pdf`],
  ['😀.zip', `attachment; filename="_.zip"; filename*=UTF-8''%F0%9F%98%80.zip`],
  ['a "b" 100%.txt', `attachment; filename="a _b_ 100_.txt"; filename*=UTF-8''a%20%22b%22%20100%25.txt`],
  ["it's (1)*.txt", `attachment; filename="it's (1)*.txt"; filename*=UTF-8''it%27s%20%281%29%2A.txt`],
  ['../../etc/passwd', `attachment; filename=".._.._etc_passwd"; filename*=UTF-8''.._.._etc_passwd`],
  ['..\\x.exe', `attachment; filename=".._x.exe"; filename*=UTF-8''.._x.exe`],
  ['a\r\nset-cookie: x=1', `attachment; filename="a__set-cookie: x=1"; filename*=UTF-8''a%0D%0Aset-cookie%3A%20x%3D1`],
])('the file name %j becomes one header that every browser reads', (name, header) => {
  expect(attachmentNamed(name)).toBe(header);
});

it('any file name becomes one safe header that still contains the name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (name) => {
      const header = attachmentNamed(name);
      const [, ascii, encoded = ''] =
        /^attachment; filename="([ -~]*)"; filename\*=UTF-8''([\w.!~%-]*)$/.exec(header) ?? [];
      expect(ascii).not.toMatch(/["\\/]/);
      expect(decodeURIComponent(encoded)).toBe(name.toWellFormed().replaceAll(/[/\\]/g, '_'));
    }),
  );
});
