// The only header through which Swift uses libyaml (https://pyyaml.org/wiki/LibYAML, 0.2 and later).
#include <yaml.h>
