import Type from 'typebox'
import type { Operation } from './operation.ts'

export const mediaOperations = {
  'POST /api/media': {
    summary: 'Keep an image, sent as multipart in the field `file`, and answer the address to put into a form',
    response: { 201: Type.Object({ url: Type.String(), url_card: Type.String() }) },
  },
} as const satisfies Record<string, Operation>
