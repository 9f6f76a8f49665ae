module github.com/bellglass/bellglass/bench

go 1.26.0

replace github.com/bellglass/bellglass => ../

require (
	github.com/AdguardTeam/urlfilter v0.5.0
	github.com/bellglass/bellglass v0.0.0-00010101000000-000000000000
	github.com/gobwas/glob v1.1.0
	go.yaml.in/yaml/v4 v4.0.0
)

require (
	github.com/AdguardTeam/golibs v0.1.3 // indirect
	github.com/agnivade/levenshtein v1.2.2 // indirect
	github.com/asaskevich/govalidator v0.0.0-20180720115003-f9ffefc3facf // indirect
	github.com/bits-and-blooms/bitset v1.20.0 // indirect
	github.com/evanw/esbuild v0.28.2 // indirect
	github.com/joomcode/errorx v0.8.0 // indirect
	github.com/nlnwa/whatwg-url v0.6.2 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)
