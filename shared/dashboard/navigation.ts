import { mayOpen, type PageViewer } from '../domain/access/dashboard-pages.ts';
import { type Html, html } from '../pages/html.ts';
import { dashboardTexts, type TextKey } from '../texts/texts.ts';
import type { FrameTexts } from './texts.ts';

type NavigationKey = Extract<TextKey<'frame'>, `nav.${string}`>;

/** The path of a section of the dashboard. */
export type SectionPath = NavigationKey extends `nav.${infer Path}` ? Path : never;

const isNavigation = (key: string): key is NavigationKey => key.startsWith('nav.');

type GroupKey = Extract<TextKey<'frame'>, `group.${string}`>;

const isGroup = (key: string): key is GroupKey => key.startsWith('group.');

interface NavigationGroup {
  /** The text key of the group's name. The first group has no name. */
  name: GroupKey | undefined;
  /** The keys of its links. Each contains the path of its section. */
  links: NavigationKey[];
}

/** The groups of the navigation, in the order of the English texts. A name begins a new group. */
const navigationGroups = groupsOf(Object.keys(dashboardTexts('frame').en));

function groupsOf(keys: readonly string[]): NavigationGroup[] {
  const groups: NavigationGroup[] = [{ name: undefined, links: [] }];
  for (const key of keys) {
    if (isGroup(key)) groups.push({ name: key, links: [] });
    else if (isNavigation(key)) groups.at(-1)?.links.push(key);
  }
  return groups;
}

/** The section that contains a page. */
export function sectionOf(path: string): SectionPath {
  const sections = navigationGroups.flatMap(({ links }) => links.map(pathOf));
  const above = sections.filter((section) => path === section || path.startsWith(`${section}/`));
  return above.sort((a, b) => b.length - a.length)[0] ?? '/dashboard';
}

const pathOf = (key: NavigationKey): SectionPath => key.slice('nav.'.length) as SectionPath;

/**
 * The navigation, with the sections that the viewer may open. On a phone, it is folded behind a line with the name of
 * the current section.
 */
export const dashboardMenu = (
  current: SectionPath | undefined,
  viewer: PageViewer | undefined,
  t: FrameTexts,
): Html => html`<nav aria-label="${t('navigation')}"><details><summary>${t('menu')}${current && html` <span>${t(`nav.${current}`)}</span>`}</summary>
${navigationGroups.map(({ name, links }) => html`<div class="group">${name && html`<p id="${name}">${t(name)}</p>`}<ul${name && html` aria-labelledby="${name}"`}>${links.filter((key) => mayOpen(viewer, pathOf(key))).map((key) => navigationLink(key, current, t))}</ul></div>`)}</details></nav>`;

const navigationLink = (key: NavigationKey, current: SectionPath | undefined, t: FrameTexts): Html =>
  html`<li><a href="${pathOf(key)}"${key === `nav.${current}` && html` aria-current="page"`}>${t(key)}</a></li>
`;
