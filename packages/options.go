package packages

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/bellglass/bellglass/packages/cache"
	"github.com/bellglass/bellglass/packages/npm"
)

// Limits bounds what one call fetches.
type Limits struct {
	Packages     int           // packages, with all that they depend on
	PackageBytes int64         // bytes of one package, unpacked
	TotalBytes   int64         // bytes of all packages, as they are transferred
	Time         time.Duration // for resolving and fetching together
}

// DefaultLimits are enough for the largest applications.
func DefaultLimits() Limits {
	return Limits{Packages: 1_000, PackageBytes: 512 << 20, TotalBytes: 1 << 30, Time: 10 * time.Minute}
}

// Options says where packages come from. The zero value is that of a user at a terminal.
type Options struct {
	Cache       string // folder of the cache; "" means the user's
	Offline     bool   // ask no registry
	Development bool   // bundle the builds for development
	Registry    string // overrides the configuration of npm; "" does not
	Limits      Limits // fields that are 0 are those of DefaultLimits

	// Config replaces the configuration of npm that is read from files and the environment.
	Config *npm.Config
	HTTP   *http.Client  // nil means one of our own
	Pause  time.Duration // before a request is retried; 0 means 0.5 s

	// Say hears what is being done, one call at a time. It may be nil.
	Say func(say string)
}

// saying is held while Say is called. It is one for all, because options are copied.
var saying sync.Mutex

func (o Options) say(format string, args ...any) {
	if o.Say != nil {
		saying.Lock()
		defer saying.Unlock()
		o.Say(fmt.Sprintf(format, args...))
	}
}

func (o Options) limits() Limits {
	l := DefaultLimits()
	if o.Limits.Packages > 0 {
		l.Packages = o.Limits.Packages
	}
	if o.Limits.PackageBytes > 0 {
		l.PackageBytes = o.Limits.PackageBytes
	}
	if o.Limits.TotalBytes > 0 {
		l.TotalBytes = o.Limits.TotalBytes
	}
	if o.Limits.Time > 0 {
		l.Time = o.Limits.Time
	}
	return l
}

// client returns what asks the registries that are configured in dir.
func (o Options) client(dir string) (*npm.Client, error) {
	c, err := cache.Open(o.Cache)
	if err != nil {
		return nil, err
	}
	config := o.Config
	if config == nil {
		if config, err = npm.ReadConfig(dir, o.Registry); err != nil {
			return nil, err
		}
	}
	limits := npm.DefaultLimits()
	limits.Unpacked = o.limits().PackageBytes
	limits.Tarball = min(limits.Tarball, limits.Unpacked)
	pause := o.Pause
	if pause == 0 {
		pause = 500 * time.Millisecond
	}
	return &npm.Client{Config: config, Cache: c, Offline: o.Offline, Limits: limits, HTTP: o.HTTP, Pause: pause}, nil
}

// within bounds a context by the limit of time.
func (o Options) within(ctx context.Context) (context.Context, context.CancelFunc) {
	limit := o.limits().Time
	return context.WithTimeoutCause(ctx, limit, fmt.Errorf("resolving and fetching took longer than %s, which is the limit; try again, since the cache keeps what has arrived", limit))
}
