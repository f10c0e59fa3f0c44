/** Numbers and names that browser and server share. No schema library here: the browser downloads this file. */

export const PAGE_SIZE = 20
export const AUTHOR_PAGE_SIZE = 50
export const MAX_PAGE_SIZE = 100
export const MAX_PAGE = 2_147_483_647

export const MAX_SEARCH_LENGTH = 200
export const MAX_SEARCH_TAGS = 10

export const MAX_TITLE_LENGTH = 100
export const MAX_DESCRIPTION_LENGTH = 5000
export const MAX_VERSION_LENGTH = 20
export const MAX_CONTENT_BYTES = 1_048_576
export const MAX_TAGS = 10
export const MAX_TAG_LENGTH = 30
export const MAX_URL_LENGTH = 2048
export const MAX_IMAGE_BYTES = 3_145_728

/** What a card says of a description; the whole text is on the script's page. */
export const CARD_DESCRIPTION_LENGTH = 260

export const POPULAR_MIN_RATING = 3.5
export const POPULAR_MIN_VIEWS = 100
export const TOP_RATED_FROM = 4.5
export const TRENDING_FROM_VIEWS = 1000
