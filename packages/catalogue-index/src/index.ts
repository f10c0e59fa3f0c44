export {
  type Bits,
  bitWords,
  clearBit,
  countBits,
  countBoth,
  grownFor,
  hasBit,
  intersectBits,
  listBits,
  popcount,
  setBit,
} from './bits.ts'
