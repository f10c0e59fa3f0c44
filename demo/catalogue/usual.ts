import type { DemoScript } from '#demo/types.ts'

type Usual = Pick<
  DemoScript,
  | 'version'
  | 'hasKeySystem'
  | 'keySystemUrl'
  | 'isUniversal'
  | 'gameId'
  | 'isClientSide'
  | 'isFree'
  | 'isFeatured'
  | 'isVerified'
  | 'isShowcased'
  | 'isPublic'
  | 'isMobileCompatible'
  | 'isWorking'
>

/** What most scripts have in common; a row names only what is different about it. */
export const usual: Usual = {
  version: '1.0.0',
  hasKeySystem: false,
  keySystemUrl: null,
  isUniversal: true,
  gameId: null,
  isClientSide: true,
  isFree: true,
  isFeatured: false,
  isVerified: false,
  isShowcased: false,
  isPublic: true,
  isMobileCompatible: true,
  isWorking: true,
}
