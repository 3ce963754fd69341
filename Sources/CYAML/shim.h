// The one header through which Swift sees libyaml (https://pyyaml.org/wiki/LibYAML, 0.2 and later).
#include <yaml.h>
