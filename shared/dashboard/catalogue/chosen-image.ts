import { type PublishImageDeps, publishFile } from '../../use-cases/catalogue/publish-image.ts';
import type { DashboardForm } from '../form.ts';

export interface ChosenImageDeps extends PublishImageDeps {
  newUuid: () => string;
}

/** The address of an image. `null` removes the image. `undefined` does not change it. */
export type ChosenImage = string | null | undefined;

/**
 * The image in a form. It is a new file, which is published, or the image that was in the form when it was refused
 * before.
 */
export async function chosenImage(deps: ChosenImageDeps, form: DashboardForm): Promise<ChosenImage> {
  const file = form.file('image');
  if (file) return publishFile(deps, deps.newUuid(), file);
  return form.has('remove_image') ? null : keptImage(deps, form);
}

/** The image of a form that is shown again; undefined if it has no image, or one that cannot be published. */
export const imageToKeep = async (chosen: Promise<ChosenImage>): Promise<string | undefined> =>
  (await chosen.catch(() => undefined)) ?? undefined;

/** Accepts only addresses of our own images, because the field could contain any other address. */
function keptImage({ publicUrl }: ChosenImageDeps, form: DashboardForm): string | undefined {
  const address = form.text('kept_image');
  const name = address.startsWith(`${publicUrl}/images/`) ? address.slice(`${publicUrl}/images/`.length) : '';
  return /^[0-9a-f-]{36}-\w+\.(?:png|jpeg|webp)$/.test(name) ? address : undefined;
}
