package npm

import (
	"crypto/sha1"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"github.com/bellglass/bellglass/packages/cache"
)

// Verify returns nil if the tarball is the one that dist describes. It uses the strongest
// hash that npm knows and accepts no other: SHA-512, or SHA-1 only if there is no integrity.
// Otherwise it returns an [*IntegrityError].
func Verify(tarball []byte, dist Dist) error {
	if dist.Integrity == "" {
		if dist.Shasum == "" {
			return mismatch("the registry states no integrity of it, so nobody can tell whether it is the right one")
		}
		sum := sha1.Sum(tarball)
		if got := hex.EncodeToString(sum[:]); got != strings.ToLower(dist.Shasum) {
			return mismatch("the tarball is not the one of the registry: its SHA-1 is %s, and not %s", got, dist.Shasum)
		}
		return nil
	}
	got := cache.Integrity(tarball)
	stated := false
	for option := range strings.FieldsSeq(dist.Integrity) {
		option, _, _ = strings.Cut(option, "?")
		if option == got {
			return nil
		}
		stated = stated || strings.HasPrefix(option, "sha512-")
	}
	if stated {
		return mismatch("the tarball is not the one that was published: its integrity is %s, and not %s", got, dist.Integrity)
	}
	// Registries wrote the SHA-1 of old packages in the newer form.
	old := sha1.Sum(tarball)
	if dist.Integrity == "sha1-"+base64.StdEncoding.EncodeToString(old[:]) {
		return nil
	}
	return mismatch("the tarball has no SHA-512 that could be verified: its stated integrity is %q", dist.Integrity)
}
