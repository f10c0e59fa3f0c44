/** Numbers and names that browser and server share. No schema library here: the browser downloads this file. */

export const PAGE_SIZE = 20
export const MAX_PAGE_SIZE = 100
export const MAX_PAGE = 2_147_483_647

export const MAX_SEARCH_LENGTH = 200
export const MAX_SEARCH_TAGS = 10

/** What a card says of a description; the whole text is on the script's page. */
export const CARD_DESCRIPTION_LENGTH = 260
