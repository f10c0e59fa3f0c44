// A member rates a script of somebody else's once, with or without a review; the author may answer each review once. The
// summary is kept with the ratings and equals a recount of those that count: the votes of the banned do not, nor what
// moderators hid.
export { hideReview, unhideReview } from './hide.ts'
export { rateScript, removeRating } from './rating.ts'
export { getRatings, listComments, type RatingsOptions } from './reading.ts'
export { replyToReview } from './reply.ts'
export { settleAllVotes, settleVotes } from './summary.ts'
