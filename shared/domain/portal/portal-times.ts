/** How long a link, a link that the merchant asked for, and a session of the portal can be used. */
export const portalSeconds = { link: 15 * 60, merchantLink: 24 * 3_600, session: 3_600 } as const;
