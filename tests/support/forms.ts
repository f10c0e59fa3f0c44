export interface EncodedForm {
  payload: Buffer
  headers: { 'content-type': string }
}

/** Encodes a form with files as browsers do. */
export async function encodeForm(form: FormData): Promise<EncodedForm> {
  const encoded = new Response(form)
  const payload = Buffer.from(await encoded.arrayBuffer())
  return { payload, headers: { 'content-type': encoded.headers.get('content-type') ?? '' } }
}

export function fileForm(bytes: Buffer, { field = 'file', name = 'a.png', type = 'image/png' } = {}): FormData {
  const form = new FormData()
  form.set(field, new Blob([new Uint8Array(bytes)], { type }), name)
  return form
}
