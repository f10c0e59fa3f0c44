/** What is reported or hidden. */
export interface Subject {
  type: 'script' | 'review' | 'profile'
  id: number
  /** As it is called in the dialog. */
  title: string
}
