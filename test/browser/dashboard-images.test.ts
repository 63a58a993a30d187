import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cleanImage } from '../../shared/outside/images/clean-image.ts';
import { exifSegment, jpegSegment } from '../outside/images/forge.ts';
import { samples } from '../outside/images/samples.ts';
import { sharedPages } from './pages.ts';

let page: Page;

beforeAll(async () => {
  page = await (await sharedPages()).open({ locale: 'en-US', javaScript: true, width: 1_000, dark: false });
});

afterAll(() => page?.context().close());

/** Width, height and every pixel, as a real decoder sees them. */
const pixelsOf = (file: Buffer): Promise<number[]> =>
  page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${file.toString('base64')}'), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext('2d');
    context.drawImage(bitmap, 0, 0);
    return [bitmap.width, bitmap.height, ...context.getImageData(0, 0, bitmap.width, bitmap.height).data];
  })()`);

const comment = jpegSegment(0xfe, Buffer.from('<script>alert(1)</script>'));
const turned = (orientation: number) =>
  Buffer.concat([samples.jpeg.subarray(0, 2), exifSegment(orientation), comment, samples.jpeg.subarray(2)]);

it.each([
  ...Object.entries(samples),
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((orientation): [string, Buffer] => [
    `jpeg turned by ${orientation}`,
    turned(orientation),
  ]),
])('the image %s keeps its pixels when all other data is removed from the file', async (_, file) => {
  const { bytes, width, height } = cleanImage(file);
  const [before, after] = [await pixelsOf(file), await pixelsOf(bytes)];
  expect(after).toEqual(before);
  expect([width, height].sort()).toEqual(after.slice(0, 2).sort());
  expect(new Set(before).size).toBeGreaterThan(20);
});
