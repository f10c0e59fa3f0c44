export { codeProblem, decodeCode, MAX_CODE_BYTES, normalizeCode } from './code.ts'
export { isDay, parseDayOrTime } from './days.ts'
export { countCharacters, cutBytes, cutCharacters, isLongerThan } from './lengths.ts'
export {
  cleanLine,
  cleanText,
  firstLine,
  hasDirectionControls,
  isBlank,
  MAX_CHANGELOG_LENGTH,
  positionOfControl,
} from './lines.ts'
export { isReservedName, skeletonOf } from './names.ts'
export { foldTag } from './tags.ts'
