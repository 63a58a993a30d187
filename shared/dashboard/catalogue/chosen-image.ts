import { type PublishImageDeps, publishFile } from '../../use-cases/catalogue/publish-image.ts';
import type { DashboardForm } from '../form.ts';

export interface ChosenImageDeps extends PublishImageDeps {
  newUuid: () => string;
}

/** What a form says of its image: the address of a file that was chosen, `null` where it is removed, `undefined` where it stays. */
export async function chosenImage(deps: ChosenImageDeps, form: DashboardForm): Promise<string | null | undefined> {
  const file = form.file('image');
  if (file) return publishFile(deps, deps.newUuid(), file);
  return form.has('remove_image') ? null : undefined;
}
