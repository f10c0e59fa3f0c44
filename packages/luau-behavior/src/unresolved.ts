/** What the analysis could not follow, as sentences for people. */
export const UNRESOLVED = {
  function: 'A function that is chosen while the script runs',
  global: 'A global function that we do not know',
  address: 'A server address that is put together while the script runs',
  data: 'Data to send that is chosen while the script runs',
  handed: 'A function of the executor that is handed to code we cannot see',
  loop: 'A loop that is too long to follow',
  depth: 'Calls that are nested too deeply to follow',
  calls: 'A function that is called too often to follow',
  code: 'Text that is run as code and has an error in it',
  changed: 'A long text that is changed in memory',
  hosts: 'A server beyond the 100 that are listed',
  texts: 'More code in text than can be followed',
} as const
