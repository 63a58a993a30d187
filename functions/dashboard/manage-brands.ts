import {
  type BrandDraft,
  brandFormPage,
  brandListPage,
  draftOfBrand,
  newBrand,
} from '../../shared/dashboard/catalogue/brand-pages.ts';
import { dashboard, type FormSubmission, unlessRefused, type Visit } from '../../shared/dashboard/dashboard.ts';
import { faultsOf } from '../../shared/dashboard/form-faults.ts';
import { frameOf } from '../../shared/dashboard/frame.ts';
import { guard } from '../../shared/dashboard/guard.ts';
import { dashboardCommands } from '../../shared/domain/access/dashboard-commands.ts';
import { type Brand, findBrand } from '../../shared/domain/catalogue/brand.ts';
import type { DomainError } from '../../shared/domain/errors.ts';
import { primaryBrandIdOf } from '../../shared/domain/ids.ts';
import { env } from '../../shared/env.ts';
import { images } from '../../shared/image-runtime.ts';
import { cleanImage } from '../../shared/images/clean-image.ts';
import { brands, newId, world } from '../../shared/runtime.ts';
import { keys } from '../../shared/store/keys.ts';
import { createBrand } from '../../shared/use-cases/catalogue/create-brand.ts';
import { publishFile } from '../../shared/use-cases/catalogue/publish-image.ts';
import { updateBrand } from '../../shared/use-cases/catalogue/update-brand.ts';
import { BrandChangeInput, BrandInput } from '../../shared/wire/catalogue/brand.ts';
import { parseInput } from '../../shared/wire/parse.ts';

const deps = { brands: brands(), images: images(), cleanImage, publicUrl: env.publicUrl(), newId };
const primaryBrandId = primaryBrandIdOf(env.merchant().id);
const home = '/dashboard/brands';

/** GET, POST /dashboard/brands /dashboard/brands/{id} */
export const handler = dashboard(guard, {
  needs: () => [keys.brands()],
  show: async (visit) => {
    const id = visit.request.param('id');
    const all = await deps.brands.get();
    if (id === '') return brandListPage(frameOf(visit), all.brands);
    const brand = id === 'new' ? null : findBrand(all, id);
    return showForm(visit, brand, brand ? draftOfBrand(brand) : newBrand);
  },
  forms: { commands: dashboardCommands.brands, run: { save } },
});

function showForm(visit: Visit, brand: Brand | null, draft: BrandDraft, refusal?: DomainError) {
  const faults = refusal ? faultsOf(refusal, { support_email: 'supportEmail', image_id: 'image' }) : [];
  return brandFormPage(frameOf(visit), { brand, isPrimary: brand?.id === primaryBrandId, draft, faults });
}

const draftFrom = ({ form }: FormSubmission): BrandDraft => ({
  name: form.text('name'),
  description: form.text('description'),
  color: form.has('has_color') ? form.text('color') : '',
  supportEmail: form.text('supportEmail'),
  url: form.text('url'),
});

const bodyOf = ({ name, description, color, supportEmail, url }: BrandDraft) => ({
  name,
  description: description || null,
  color: color || null,
  support_email: supportEmail || null,
  url: url || null,
});

/** The brand that a form is posted to; null for the list, where a new one is made. */
async function brandOf({ request }: FormSubmission): Promise<Brand | null> {
  const id = request.param('id');
  return id === '' ? null : findBrand(await deps.brands.get(), id);
}

async function save(submission: FormSubmission) {
  const brand = await brandOf(submission);
  const draft = draftFrom(submission);
  return unlessRefused(
    async () => {
      const fields = parseInput(BrandInput, bodyOf(draft));
      const logo = await chosenLogo(submission);
      return submission.once<Brand>(
        (claim) =>
          brand
            ? updateBrand(deps, brand.id, { ...parseInput(BrandChangeInput, bodyOf(draft)), ...logo }, claim)
            : createBrand(deps, { ...fields, ...logo }, claim),
        ({ id }) => `${home}/${id}?done=${brand ? 'saved' : 'created'}`,
      );
    },
    (refusal) => showForm(submission, brand, draft, refusal),
  );
}

/** What the form says of the logo: a file, that it goes, or nothing. */
async function chosenLogo({ form }: FormSubmission): Promise<{ logo?: string | null }> {
  const file = form.file('image');
  if (file) return { logo: await publishFile(deps, world.newUuid(), file) };
  return form.has('remove_image') ? { logo: null } : {};
}
