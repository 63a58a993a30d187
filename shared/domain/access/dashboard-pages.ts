import { isPermitted, type NeededAccess, type Rights } from './access.ts';
import { dashboardCommands } from './dashboard-commands.ts';

const { products, entitlements, discounts, brands, keys, members } = dashboardCommands;

/**
 * The pages that exist for a command, with the access that it needs. `*` stands for the id of a product. All other
 * pages are open to every viewer.
 */
const accessOfPages: Readonly<Record<string, NeededAccess>> = {
  '/dashboard/products/new': products.save.needs,
  '/dashboard/products/*/entitlements': entitlements.create.needs,
  '/dashboard/discounts/new': discounts.save.needs,
  '/dashboard/brands/new': brands.save.needs,
  '/dashboard/brands/imprint': brands.make_policy.needs,
  '/dashboard/brands/accessibility': brands.make_policy.needs,
  '/dashboard/keys': keys.create.needs,
  '/dashboard/members': members.invite.needs,
};

/** The access that a page needs; undefined if every viewer may open it. */
export const accessOfPage = (path: string): NeededAccess | undefined =>
  accessOfPages[path.replace(/^(\/dashboard\/members)\/.*/, '$1').replace(/\/pdt_\w+/, '/*')];

/** Who opens a page. */
export interface PageViewer extends Rights {
  /** The member; null if the viewer signed in with a key. */
  member: object | null;
}

/**
 * Whether a viewer may open a page. Everyone may open the page with their own sessions: of members, or of keys. Without
 * a viewer, it says whether everyone may open it.
 */
export function mayOpen(viewer: PageViewer | undefined, path: string): boolean {
  const needs = accessOfPage(path);
  if (needs === undefined) return true;
  if (viewer === undefined) return false;
  return isPermitted(viewer, needs) || path.startsWith(viewer.member ? '/dashboard/members' : '/dashboard/keys');
}
