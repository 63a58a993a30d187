/** How many seconds a buyer's link, a link that the merchant requested, and a session of the portal work. */
export const portalSeconds = { link: 15 * 60, merchantLink: 24 * 3_600, session: 3_600 } as const;
