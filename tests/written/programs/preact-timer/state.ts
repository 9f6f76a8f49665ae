export { useState as useSignalLike } from 'preact/hooks'
